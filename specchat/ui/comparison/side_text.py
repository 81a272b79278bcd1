"""Words for who answers on a side."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication

from specchat.domain.answer_tasks import Compared
from specchat.domain.drafter_types import AUTO, DRAFTER_TYPES
from specchat.services.engines.compared_sides import Side
from specchat.ui.words.message_translation import translate_text

translate = QCoreApplication.translate


def side_label(side: Side, name_of: Callable[[str], str], drafter: str = "", engine: str = "") -> str:
    """`drafter`: the type in use, of the loaded pair. `engine`: what another one that computes is called."""
    choice = side.choice
    target = name_of(choice.target.name)
    if side.is_elsewhere:
        return f"{target} · {engine}"
    if side.compared is Compared.TARGET_ONLY:
        return translate("Comparison", "{target}, target only").format(target=target)
    if choice.draft is not None:
        return f"{target} + {name_of(choice.draft.name)}"
    known = DRAFTER_TYPES.get(drafter or choice.draft_type)
    if known is not None:
        return f"{target} + {translate_text(known.noun)}"
    words = translate("Comparison", "{target} + best draft") if choice.draft_type == AUTO else "{target} + {drafter}"
    return words.format(target=target, drafter=choice.draft_type)
