"""What the labels of quantised models mean, in a few words."""

import re

from specchat.domain.said import Said

_MEANINGS = (
    (r"F32", Said("The full values: twice the size of the published model, without being better.")),
    (r"BF16|F16", Said("As published: nothing lost, but large.")),
    (r"Q8_\w+", Said("Half of the published size; the loss does not show.")),
    (r"Q6_\w+", Said("Hardly any loss.")),
    (r"Q5_\w+", Said("Medium-sized, very little loss.")),
    (r"Q4_K_M", Said("Small, little loss; the usual choice.")),
    (r"Q4_K(_\w+)?", Said("Small, little loss.")),
    (r"IQ4_\w+", Said("A little smaller than Q4_K, about as good, and slower without a graphics card.")),
    (r"Q4_\w+", Said("Small, some loss: an older way to pack four bits.")),
    (r"MXFP4\w*|NVFP4", Said("Four bits for each value; best for models that were trained this way.")),
    (r"I?Q3_\w+", Said("Very small, the loss shows.")),
    (r"I?Q2_\w+", Said("Tiny, with a strong loss: only where nothing larger fits.")),
    (r"I?Q1_\w+|TQ\d_\d", Said("As small as can be; expect nonsense from all but the largest models.")),
)
_MIXED = "UD-"
_MORE_PRECISE = Said("{meaning} The parts that matter most are kept more precisely.")


def meaning(quantization: str) -> Said | None:
    label = quantization.upper()
    said = next((words for pattern, words in _MEANINGS if re.fullmatch(pattern, label.removeprefix(_MIXED))), None)
    return Said(_MORE_PRECISE, meaning=said) if said and label.startswith(_MIXED) else said
