"""syclze for Spack: this tree."""
import os

from spack.package import *


class Syclze(MakefilePackage):
    """SYCL's ownership and synchronisation rules for Level Zero handles, in C: headers on the Level
    Zero loader."""

    git = "file://" + os.path.realpath(os.path.join(os.path.dirname(__file__), *[".."] * 6))

    license("MIT")

    version("1.0.0", branch="main")

    variant("manual", default=False, description="Man pages")

    depends_on("c", type="build")
    depends_on("gmake", type="build")
    depends_on("doxygen", type="build", when="+manual")
    depends_on("oneapi-level-zero", type=("build", "link", "run"))

    def build(self, spec, prefix):
        if spec.satisfies("+manual"):
            make("manual")

    def install(self, spec, prefix):
        make("install", "prefix=" + prefix)
