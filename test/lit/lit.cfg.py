# Configuration of the lit suite. Every test runs a tool of build/bin and checks its text with FileCheck; tests write
# under the build tree alone.
import os

import lit.formats

config.name = "amp-" + config.suite_part
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.test_source_root = os.path.join(config.amp_source, "test", "lit", config.suite_part)
config.test_exec_root = os.path.join(config.amp_build, "test", "lit", config.suite_part, "run")
config.environment["PATH"] = os.pathsep.join([os.path.join(config.amp_build, "bin"), config.llvm_bin,
                                              os.environ.get("PATH", "")])
config.substitutions.append(("%models", os.path.join(config.amp_source, "test", "models")))
config.substitutions.append(("%data", os.path.join(config.amp_source, "test", "data")))
if config.amp_onednn:
    config.available_features.add("onednn")
