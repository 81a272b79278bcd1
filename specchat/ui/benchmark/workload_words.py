"""What kinds of prompts are called, what they ask for, and what to do about the figures."""

from PySide6.QtCore import QCoreApplication

from specchat.domain.benchmarking import BenchReport
from specchat.services.bench.advice import Called, advice
from specchat.services.bench.prompts import UNNAMED
from specchat.ui.words.said import in_words

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
        "code": (translate("Benchmark", "Code"), translate("Benchmark", "Functions, tests and queries, from scratch")),
        "edit": (
            translate("Benchmark", "Editing"),
            translate("Benchmark", "A given text or program, changed a little"),
        ),
        "quote": (translate("Benchmark", "Quoting"), translate("Benchmark", "Answers that quote given passages")),
        "summary": (translate("Benchmark", "Summary"), translate("Benchmark", "A long text in a few sentences")),
        "translate": (translate("Benchmark", "Translation"), translate("Benchmark", "From one language into another")),
        "maths": (translate("Benchmark", "Mathematics"), translate("Benchmark", "Calculations, step by step")),
        "list": (translate("Benchmark", "Lists"), translate("Benchmark", "Lists and tables")),
        UNNAMED: (translate("Benchmark", "My prompts"), ""),
        RECENT: (translate("Benchmark", "My questions"), ""),
    }
    return known.get(workload, (workload, ""))


def advice_words(report: BenchReport) -> list[str]:
    """With the names that charts and form have for models and kinds of prompts."""
    return [in_words(sentence) for sentence in advice(report.rows, Called(report.plan.called, workload_name))]
