"""The packaged program itself, where there is one: the test command builds it after a change of the packaging."""

import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.api_servers import Api
from support.commands import Argument, Outcome, environment
from support.hub import LocalHub
from support.rpc_servers import RpcServerProcess

BUNDLE = Path(os.environ.get("SPECCHAT_TEST_BUNDLE", "nowhere"))
ROOT = Path(__file__).parents[2]
INSIDE = BUNDLE / "_internal"
LIBRARIES = INSIDE / "llama_cpp" / "lib"
LOADED_CPU = "loaded CPU backend from "
pytestmark = pytest.mark.bundle


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("größer als") / "a home"


def run(home: Path, *arguments: Argument, **changes: str) -> Outcome:
    done = subprocess.run(
        [str(BUNDLE / "specchat"), *map(str, arguments)],
        env={**environment(home), "QT_QPA_PLATFORM": "offscreen", **changes},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


def good(outcome: Outcome) -> Outcome:
    assert outcome.code == 0, outcome.err
    return outcome


def test_the_smoke_test(home: Path) -> None:
    result = good(run(home, "--smoke-test")).json
    assert result["ok"]
    assert result["tokens"] > 10
    assert result["acceptance_rate"] > 0


def test_commands(home: Path, tiny_pair: tuple[Path, Path]) -> None:
    """Each in its own way: templates and first loads need processes of their own, measuring another."""
    target, draft = tiny_pair
    pair: list[Argument] = ["-m", target, "-md", draft]
    assert good(run(home, "--version")).out.startswith("specchat ")
    assert good(run(home, "chat", *pair, "--raw", "-p", "Hello", "-n", "8", "--json")).json["tokens"]
    assert good(run(home, "chat", "-m", "demo", "-p", "What is a draft?", "--temp", "0")).out.strip()
    assert good(run(home, "inspect", target, "--json")).json["architecture"] == "llama"
    assert good(run(home, "compat", target, draft, "--json")).json["verdict"] == "identical"
    assert good(run(home, "fit", target, draft, "--json")).json["method"] == "engine"
    assert good(run(home, "selftest", *pair, "--json")).json["exact"]
    assert good(run(home, "devices", "--json")).json["devices"]
    assert good(run(home, "models", "list", "--json")).json["models"]


def test_the_server(home: Path) -> None:
    command = [str(BUNDLE / "specchat"), "serve", "-m", "demo", "--port", "0"]
    with subprocess.Popen(command, env=environment(home), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        api = Api(process.stdout.readline().decode().rpartition(" at ")[2].split()[0])
        assert api.chat("What is a draft?", temperature=0).json["choices"][0]["message"]["content"]
        process.terminate()
        assert process.wait(60) == 0


def test_it_lends_this_computer_and_uses_another(home: Path) -> None:
    server = RpcServerProcess()
    try:
        server.start([str(BUNDLE / "specchat"), "rpc-server", "-p", str(server.port), "-t", "1"], environment(home))
        devices = good(run(home, "devices", "--rpc", server.address, "--json")).json["devices"]
        assert ("RPC0", server.address) in {(device["name"], device["description"]) for device in devices}
        asked: list[Argument] = ["-m", "demo", "-p", "What is a draft?", "-n", "8", "--temp", "0", "--json"]
        assert good(run(home, "chat", *asked, "--rpc", server.address, "-ngl", "4")).json["tokens"]
    finally:
        server.kill()


def test_models_from_the_hub(home: Path, tmp_path: Path, tiny_llama: Path) -> None:
    with LocalHub() as hub:
        hub.add("alice/tiny-GGUF", {"tiny-Q4_0.gguf": tiny_llama.read_bytes()})
        changes = {**hub.environment(), "HF_HOME": str(tmp_path / "hf")}
        reference = "alice/tiny-GGUF:tiny-Q4_0.gguf"
        assert good(run(home, "models", "search", "tiny", "--json", **changes)).json["models"]
        assert good(run(home, "inspect", reference, "--json", **changes)).json["architecture"] == "llama"
        (model,) = good(run(home, "models", "pull", reference, "--json", **changes)).json["installed"]
        assert Path(model["path"]).read_bytes() == tiny_llama.read_bytes()


def test_mistakes_of_the_user(home: Path) -> None:
    assert run(home, "inspect", "missing.gguf").code == 1
    assert run(home, "nonsense").code == 2


@pytest.fixture
def oldest_processor(tmp_path: Path) -> Path:
    for library in LIBRARIES.iterdir():
        if not library.name.startswith("libggml-cpu-") or library.name == "libggml-cpu-x64.so":
            (tmp_path / library.name).symlink_to(library)
    return tmp_path


def test_the_oldest_processor(home: Path, oldest_processor: Path) -> None:
    changes = {"LLAMA_CPP_LIB_PATH": str(oldest_processor), "SPECCHAT_LOG": "INFO"}
    answer = run(home, "chat", "-m", "demo", "-p", "What is a draft?", "-n", "20", "--temp", "0", **changes)
    assert f"{LOADED_CPU}{oldest_processor / 'libggml-cpu-x64.so'}" in answer.err
    assert good(answer).out.strip()


@pytest.mark.skipif(sys.platform != "linux", reason="the processor's abilities are read from /proc")
def test_the_best_for_this_processor(home: Path) -> None:
    lines = good(run(home, "devices", SPECCHAT_LOG="INFO")).err.splitlines()
    (module,) = (line.rpartition("libggml-cpu-")[2] for line in lines if LOADED_CPU in line)
    abilities = set(Path("/proc/cpuinfo").read_text().partition("flags")[2].partition("\n")[0].split())
    if "avx512f" in abilities:
        assert module.removesuffix(".so") in {
            "skylakex",
            "cannonlake",
            "cascadelake",
            "icelake",
            "cooperlake",
            "zen4",
        } | {"sapphirerapids"}
    elif "avx2" in abilities:
        assert module.removesuffix(".so") in {"haswell", "alderlake"}
    else:
        assert module != "x64.so"


def test_no_gpu_is_no_problem(home: Path) -> None:
    devices = good(run(home, "devices", "--json", VK_ICD_FILENAMES="/nowhere", VK_DRIVER_FILES="/nowhere")).json
    assert [device["kind"] for device in devices["devices"]] == ["cpu"]


@pytest.mark.vulkan
def test_vulkan(home: Path) -> None:
    """Mesa's software device, which counts only where it is asked for."""
    devices = good(run(home, "devices", "--json", GGML_VK_VISIBLE_DEVICES="0")).json["devices"]
    assert [device["name"] for device in devices] == ["Vulkan0", "CPU"]


def files() -> Iterator[Path]:
    return (path for path in BUNDLE.rglob("*") if path.is_file() and not path.is_symlink())


def test_nothing_is_there_twice() -> None:
    count = Counter(hashlib.sha256(file.read_bytes()).digest() for file in files() if file.suffix != ".txt")
    assert count.most_common(1)[0][1] == 1


def test_nothing_tells_where_it_was_built() -> None:
    assert [file.name for file in files() if str(ROOT).encode() in file.read_bytes()] == []


def test_licences() -> None:
    folder = INSIDE / "specchat" / "resources" / "licences"
    parts = json.loads((folder / "licences.json").read_text(encoding="utf-8"))["parts"]
    assert {"specchat", "llama.cpp", "Qt", "Python", "numpy", "libgomp1"} <= {part["name"] for part in parts}
    for part in parts:
        assert part["version"]
        assert part["licence"]
        assert all((folder / text).stat().st_size > 100 for text in part["texts"])
    assert {text for part in parts for text in part["texts"]} == {file.name for file in folder.glob("*.txt")}


def test_what_it_starts_has_the_systems_libraries() -> None:
    hook = ROOT / "packaging" / "bundle" / "own_libraries_for_us_only.py"
    script = f"import os; exec(open({str(hook)!r}).read()); print(os.environ.get('LD_LIBRARY_PATH'))"
    bundle = {"LD_LIBRARY_PATH": "/the/bundle"}
    for ours, after in ((bundle, "None"), ({**bundle, "LD_LIBRARY_PATH_ORIG": "/theirs"}, "/theirs")):
        done = subprocess.run(
            [sys.executable, "-c", script], env={**os.environ, **ours}, capture_output=True, text=True, check=True
        )
        assert done.stdout.strip() == after
