"""syclze for Conan 2: headers, CMake files and tools of this tree."""
import os
import re

from conan import ConanFile
from conan.tools.files import copy, load


class Syclze(ConanFile):
    name = "syclze"
    description = "SYCL's ownership and synchronisation rules for Level Zero handles, in C"
    license = "MIT"
    topics = ("level-zero", "sycl", "oneapi", "gpu", "header-only")
    package_type = "header-library"
    settings = "os"
    no_copy_source = True

    @property
    def _root(self):
        return os.path.join(self.recipe_folder, "..", "..", "..", "..")

    def set_version(self):
        text = load(self, os.path.join(self._root, "syclze", "version.h"))
        self.version = ".".join(re.findall(r"define SYCLZE_VERSION_[A-Z]* (\d+)", text))

    def export_sources(self):
        copy(self, "LICENSE", self._root, self.export_sources_folder)
        for pattern in ("*.h", "*.hpp", "cmake/*.cmake", "offload/tools/*"):
            copy(self, pattern, os.path.join(self._root, "syclze"),
                 os.path.join(self.export_sources_folder, "syclze"))

    def package(self):
        tree = os.path.join(self.source_folder, "syclze")
        share = os.path.join(self.package_folder, "share")
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        for pattern in ("*.h", "*.hpp"):
            copy(self, pattern, tree, os.path.join(self.package_folder, "include", "syclze"))
        copy(self, "*.cmake", os.path.join(tree, "cmake"), os.path.join(share, "cmake", "syclze"))
        for tool in ("offload.mk", "kernels.mk", "tool.inc", "syclbin.inc", "pack.c", "split.c", "convert.c", "build.c"):
            copy(self, tool, os.path.join(tree, "offload", "tools"), os.path.join(share, "syclze"))

    def package_info(self):
        # syclzeConfig.cmake finds Level Zero's loader, which is the system's.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("share", "cmake", "syclze")]
        self.cpp_info.bindirs = self.cpp_info.libdirs = []
        windows = self.settings.os == "Windows"
        self.cpp_info.system_libs = ["ze_loader"] + ([] if windows else ["pthread", "dl"])

    def package_id(self):
        self.info.clear()
