"""Names and explanations of the workloads, and the advice derived from a report."""

from PySide6.QtCore import QCoreApplication

from specchat.domain.benchmark import BenchReport
from specchat.services.bench.advice import DisplayNames, build_advice
from specchat.services.bench.json_prompts import UNNAMED
from specchat.ui.words.message_translation import translate_text

translate = QCoreApplication.translate

RECENT = "recent"


def workload_name(workload: str) -> str:
    return _words(workload)[0]


def workload_explanation(workload: str) -> str:
    return _words(workload)[1]


def _words(workload: str) -> tuple[str, str]:
    """Kinds that a user's file names have the names they have there."""
    known = {
        "chat": (translate("Benchmark", "Chat"), translate("Benchmark", "Everyday questions")),
        "code": (translate("Benchmark", "Code"), translate("Benchmark", "Functions, tests, and queries from scratch")),
        "edit": (
            translate("Benchmark", "Editing"),
            translate("Benchmark", "Small changes to a given text or program"),
        ),
        "quote": (translate("Benchmark", "Quoting"), translate("Benchmark", "Answers that quote a given text")),
        "summary": (translate("Benchmark", "Summary"), translate("Benchmark", "A long text in a few sentences")),
        "translate": (translate("Benchmark", "Translation"), translate("Benchmark", "From one language into another")),
        "maths": (translate("Benchmark", "Math"), translate("Benchmark", "Step-by-step calculations")),
        "list": (translate("Benchmark", "Lists"), translate("Benchmark", "Lists and tables")),
        UNNAMED: (translate("Benchmark", "My prompts"), ""),
        RECENT: (translate("Benchmark", "My questions"), ""),
    }
    return known.get(workload, (workload, ""))


def advice_lines(report: BenchReport) -> list[str]:
    """With the names that charts and form have for models and kinds of prompts."""
    return [
        translate_text(sentence)
        for sentence in build_advice(report.rows, DisplayNames(report.plan.display_name, workload_name))
    ]
