"""Every option that a tool's --help names stands in its reference page, and the page names no other."""

import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))

import amptools

TOOLS = ("amp-compile", "amp-inspect", "amp-opt", "amp-run", "amp-train")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]*")


class ReferenceTest(unittest.TestCase):
    def test_options_of_help_and_page_are_the_same(self):
        for tool in TOOLS:
            with self.subTest(tool=tool):
                page = (amptools.ROOT / "docs" / "reference" / f"{tool}.md").read_text()
                described = set(OPTION.findall("\n".join(re.findall(r"^\| `(.*?)` \|", page, re.MULTILINE))))
                # An option begins its line; what stands further right are descriptions and examples.
                offered = set(OPTION.findall("\n".join(re.findall(r"^ +(-\S+)", amptools.succeed(tool, "--help"),
                                                                  re.MULTILINE))))
                # The options of MLIR's own driver are described by MLIR.
                if tool == "amp-opt":
                    offered &= described | {"--help", "--version"}
                self.assertEqual(offered, described)


class LinkTest(unittest.TestCase):
    def test_links_between_pages_lead_somewhere(self):
        listing = subprocess.run(["git", "ls-files", "*.md"], cwd=amptools.ROOT, capture_output=True, text=True,
                                 check=True).stdout.split()
        self.assertIn("README.md", listing)
        for name in listing:
            page = amptools.ROOT / name
            for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
                self.assertTrue((page.parent / target).exists(), f"{name} links to {target}")


if __name__ == "__main__":
    unittest.main()
