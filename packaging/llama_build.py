"""llama.cpp as it is shipped: compiled for every kind of processor, the best one chosen when it starts, for GPUs
through Vulkan, and for other machines through RPC. The source is that of the installed llama-cpp-python. Run with
the project's Python:

python packaging/llama_build.py                     compiles all, prints the libraries
python packaging/llama_build.py vulkan-for-tests    compiles the Vulkan backend for the installed CPU build to load: on
                                                    Mesa's software driver it is a GPU for the tests
python packaging/llama_build.py rpc-for-tests       compiles the RPC backend for the installed CPU build to load, and
                                                    ggml-rpc-server, prints the folder of both
python packaging/llama_build.py llama-server-for-tests
                                                    compiles llama-server with the libraries of the installed CPU build
python packaging/llama_build.py source-for-tests    unpacks the source, prints its folder
"""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import shutil
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import system_packages
from cmake_build import cmake
from llama_programs import LLAMA_SERVER, RPC_SERVER, compile_llama_server, compile_rpc_server
from project_venv import ROOT, WITHOUT_AMX
from shell import SetupError, run, say
from vulkan_headers import find_headers

VULKAN_MODULE = "libggml-vulkan.so"
RPC_MODULE = "libggml-rpc.so"
VULKAN_PACKAGES = ("g++", "glslc", "libvulkan-dev", "spirv-headers")
SOFTWARE_DEVICE_PACKAGES = ("libvulkan1", "mesa-vulkan-drivers")
_VENDORED = "vendor/llama.cpp"
_PROCESSORS_IN_TESTS = {"x64", "haswell", "skylakex"}
"""Three kinds of fourteen: they tell whether the best one is chosen, and take a fifth of the time."""
_PROCESSOR_IN_CMAKE = re.compile(r"^ *ggml_add_cpu_backend_variant\((\w+).*\n", re.MULTILINE)
_CMAKE_OPTIONS = {
    "CMAKE_BUILD_TYPE": "Release",
    "BUILD_SHARED_LIBS": "ON",
    "GGML_BACKEND_DL": "ON",
    "GGML_CPU_ALL_VARIANTS": "ON",
    "GGML_NATIVE": "OFF",
    "GGML_RPC": "ON",
    "GGML_RPC_RDMA": "OFF",  # it would need a library of whoever compiles
    "LLAMA_BUILD_APP": "OFF",
    "LLAMA_BUILD_COMMON": "ON",  # for ggml-rpc-server, which is one of the tools; nothing else of them is compiled
    "LLAMA_BUILD_EXAMPLES": "OFF",
    "LLAMA_BUILD_SERVER": "OFF",
    "LLAMA_BUILD_TESTS": "OFF",
    "LLAMA_BUILD_TOOLS": "ON",
    "MTMD_VIDEO": "OFF",  # it would run programs of whoever has some
}
_MODULE_OPTIONS = {
    name: value
    for name, value in _CMAKE_OPTIONS.items()
    if name not in ("GGML_CPU_ALL_VARIANTS", "GGML_RPC", "LLAMA_BUILD_COMMON", "LLAMA_BUILD_TOOLS")
} | {"LLAMA_BUILD_COMMON": "OFF", "LLAMA_BUILD_TOOLS": "OFF"}
_LINUX_OPTIONS = {
    "CMAKE_BUILD_WITH_INSTALL_RPATH": "ON",
    "CMAKE_INSTALL_RPATH": "$ORIGIN",
    "CMAKE_SHARED_LINKER_FLAGS": "-s",
    "CMAKE_MODULE_LINKER_FLAGS": "-s",
    "CMAKE_EXE_LINKER_FLAGS": "-s",
}
_MAC_OPTIONS = {
    "CMAKE_BUILD_WITH_INSTALL_RPATH": "ON",
    "CMAKE_INSTALL_RPATH": "@loader_path",
    "CMAKE_OSX_DEPLOYMENT_TARGET": "14.0",
    "GGML_METAL": "ON" if platform.machine() == "arm64" else "OFF",
    "GGML_METAL_EMBED_LIBRARY": "ON",
    "GGML_OPENMP": "OFF",  # it would be that of whoever compiles
}


class LlamaBuild:
    """One folder for all that is compiled from one version, so that nothing is compiled twice."""

    def __init__(self, *, with_vulkan: bool = True, for_tests: bool = False) -> None:
        """`for_tests`: not for every kind of processor."""
        self._version = _engine_version()
        self._with_vulkan = with_vulkan
        self._for_tests = for_tests
        name = f"llama-{self._version}{'' if with_vulkan else '-without-vulkan'}{'-for-tests' if for_tests else ''}"
        self._folder = ROOT / ".cache" / name
        self._source = self._folder / "source"
        self._build = self._folder / "build"
        self.built = self._build / "bin"

    def libraries(self) -> list[Path]:
        """All that a program needs which uses llama.cpp, each library once, under the name that it is loaded by."""
        if not any(self.built.glob("*llama.*")):
            kinds, minutes = ("three kinds", 4) if self._for_tests else ("every kind", 8)
            say(f"Compiling llama.cpp for {kinds} of processor, which takes about {minutes} minutes, but only once ...")
        self._compile("llama", "mtmd", RPC_SERVER)
        return sorted(_needed(self.built))

    def server(self) -> Path:
        """`ggml-rpc-server`, which lends this machine's devices to others. It looks for its libraries beside itself."""
        return next(self.built.glob(f"{RPC_SERVER}*"))

    def source(self) -> Path:
        self._unpack_source()
        return self._source

    def module(self, target: str, options: Mapping[str, str]) -> Path:
        """A backend for the installed CPU build, in a folder of its own: options of others would compile all anew."""
        self._unpack_source()
        folder = self._folder / f"build-{target}"
        definitions = [f"-D{name}={value}" for name, value in {**_MODULE_OPTIONS, **options}.items()]
        cmake("-S", self._source, "-B", folder, "-G", "Ninja", *definitions)
        cmake("--build", folder, "--target", target)
        return next((folder / "bin").glob(f"*{target}.*"))

    @property
    def engine_version(self) -> str:
        """llama-cpp-python's."""
        return self._version

    def rpc_folder(self) -> Path:
        """The RPC backend and its server, for the installed CPU build."""
        folder = self._folder / "rpc"
        if not (folder / RPC_SERVER).exists():
            say("Compiling llama.cpp's RPC backend, which takes about 1 minute, but only once ...")
            self._compile("ggml-rpc")
            folder.mkdir(exist_ok=True)
            shutil.copy2(self.built / RPC_MODULE, folder)
            compile_rpc_server(self._source, folder)
        return folder

    def llama_server(self) -> Path:
        """For the tests, beside the installed CPU build."""
        program = self._folder / LLAMA_SERVER / LLAMA_SERVER
        if not program.exists():
            say("Compiling llama-server, which takes about 5 minutes, but only once ...")
            self._unpack_source()
            compile_llama_server(self._source, program.parent)
        return program

    def vulkan_module(self) -> Path:
        module = self.built / VULKAN_MODULE
        if not module.exists():
            say("Compiling llama.cpp's Vulkan backend, which takes about 2 minutes, but only once ...")
            self._compile("ggml-vulkan")
        return module

    @property
    def version(self) -> str:
        """llama.cpp's own, which its library is named after."""
        names = [file.name for file in self.built.glob("libllama.*")]
        number = re.search(r"\.(\d+(?:\.\d+)+)", " ".join(names))
        return number[1] if number else f"of llama-cpp-python {self._version}"

    def licences(self) -> list[Path]:
        return sorted([self._source / "LICENSE", *(self._source / "licenses").glob("LICENSE-*")])

    def _compile(self, *targets: str) -> None:
        self._unpack_source()
        self._configure()
        cmake("--build", self._build, "--target", *targets)

    def _unpack_source(self) -> None:
        if self._source.exists():
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self._folder) as work:
            source = _downloaded_source(self._version, Path(work))
            if self._for_tests:
                _keep_few_processors(source / "ggml" / "src" / "CMakeLists.txt")
            os.replace(source, self._source)

    def _configure(self) -> None:
        """Anew only where it is to be compiled in another way: with another CMake all shaders would be, too."""
        definitions = [f"-D{name}={value}" for name, value in {**self._options(), **self._vulkan_options()}.items()]
        stamp = self._folder / "configured"
        if stamp.exists() and stamp.read_text(encoding="utf-8").split("\n") == definitions:
            return
        cmake("-S", self._source, "-B", self._build, "-G", "Ninja", *definitions)
        stamp.write_text("\n".join(definitions), encoding="utf-8")

    def _options(self) -> dict[str, str]:
        match sys.platform:
            case "linux":
                # The same words in the libraries wherever they are compiled.
                prefixes = f'"-ffile-prefix-map={self._source}=llama.cpp" "-ffile-prefix-map={self._build}=build"'
                flags = f"{prefixes} {WITHOUT_AMX}"
                return {**_CMAKE_OPTIONS, **_LINUX_OPTIONS, "CMAKE_C_FLAGS": flags, "CMAKE_CXX_FLAGS": flags}
            case "darwin":
                return {**_CMAKE_OPTIONS, **_MAC_OPTIONS}
            case _:
                return _CMAKE_OPTIONS

    def _vulkan_options(self) -> dict[str, str]:
        if sys.platform == "darwin" or not self._with_vulkan:
            return {}
        if sys.platform == "win32":
            if "VULKAN_SDK" not in os.environ:
                raise SetupError("specchat uses GPUs through Vulkan. Install its SDK, or build --without-vulkan.")
            return {"GGML_VULKAN": "ON"}
        elsewhere = "build it on Debian, or use --without-vulkan"
        system_packages.ensure(VULKAN_PACKAGES, "specchat uses GPUs through Vulkan", elsewhere)
        return {"GGML_VULKAN": "ON", "Vulkan_INCLUDE_DIR": str(find_headers(self._folder / "headers"))}


def _engine_version() -> str:
    try:
        return importlib.metadata.version("llama-cpp-python")
    except importlib.metadata.PackageNotFoundError:
        raise SetupError("This Python has no llama-cpp-python; start the script with the one in .venv.") from None


def _downloaded_source(version: str, work: Path) -> Path:
    requirement = f"llama-cpp-python=={version}"
    source_only: list[str | Path] = ["--no-deps", "--no-binary", "llama-cpp-python", "--dest", work]
    run(
        [sys.executable, "-m", "pip", "download", "--quiet", *source_only, requirement],
        "pip could not download llama.cpp's source.",
    )
    archive = next(work.glob("llama_cpp_python-*.tar.gz"))
    with tarfile.open(archive) as source:
        # As an attribute, because Debian 12's Python 3.11.2 has no filters yet.
        source.extraction_filter = getattr(tarfile, "data_filter", None)
        source.extractall(work, [member for member in source if f"/{_VENDORED}/" in member.name])
    return next(work.glob(f"llama_cpp_python-*/{_VENDORED}"))


def _keep_few_processors(cmake_lists: Path) -> None:
    text = cmake_lists.read_text(encoding="utf-8")
    kept = _PROCESSOR_IN_CMAKE.sub(lambda line: line[0] if line[1] in _PROCESSORS_IN_TESTS else "\n", text)
    cmake_lists.write_text(kept, encoding="utf-8")


def _needed(built: Path) -> Iterator[Path]:
    """`libllama.so` and `libmtmd.so` are opened by these names, what they need by names that end in a number, modules
    by their own. On macOS, `libllama.dylib` becomes a link, because `libmtmd.dylib` needs it by such a name.
    """
    if sys.platform == "win32":
        yield from built.glob("*.dll")
        return
    if sys.platform == "darwin":
        yield built / "libmtmd.dylib"
        yield from (built / f"{name}.0.dylib" for name in ("libllama", "libggml", "libggml-base"))
    else:
        yield from (built / "libllama.so", built / "libmtmd.so")
        yield from (built / f"{name}.so.0" for name in ("libggml", "libggml-base"))
    yield from (module for module in built.glob("libggml-*.so") if module.name != "libggml-base.so")


def vulkan_for_tests() -> list[Path]:
    packages = (*SOFTWARE_DEVICE_PACKAGES, *VULKAN_PACKAGES)
    system_packages.ensure(
        packages, "The Vulkan tests need Mesa's software device", "they run where apt-get can install it"
    )
    return [LlamaBuild(for_tests=True).vulkan_module()]


def main(arguments: Sequence[str]) -> int:
    try:
        match arguments:
            case []:
                made = LlamaBuild().libraries()
            case ["vulkan-for-tests"]:
                made = vulkan_for_tests()
            case ["rpc-for-tests"]:
                made = [LlamaBuild(for_tests=True).rpc_folder()]
            case ["llama-server-for-tests"]:
                made = [LlamaBuild(for_tests=True).llama_server()]
            case ["source-for-tests"]:
                made = [LlamaBuild(for_tests=True).source()]
            case _:
                say((__doc__ or "").strip())
                return 2
    except SetupError as error:
        say(str(error))
        return 1
    for file in made:
        print(file)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
