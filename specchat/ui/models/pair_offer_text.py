"""Formats the text that describes an offered pair: size, fit and expected speed."""

from PySide6.QtCore import QObject

from specchat.services.bench.method_names import guess_count_phrase
from specchat.services.drafts.draft_candidates import (
    PairOffer,
    SpeedupEstimate,
    TargetOffer,
    is_faster,
    slowdown_percent,
)
from specchat.services.models.pair_fit import Fit
from specchat.services.models.quantization_labels import describe_quantization
from specchat.ui.words.message_translation import translate_text
from specchat.ui.words.number_format import format_number, format_percent, format_size

_TONES = {Fit.FITS: "good", Fit.TIGHT: "warning", Fit.DOES_NOT_FIT: "danger"}


class PairOfferText(QObject):
    def draft(self, offer: PairOffer) -> str:
        return self.tr("Draft: {name}").format(name=offer.draft.name)

    def facts(self, offer: PairOffer) -> str:
        return " · ".join(filter(None, (self._quantisations(offer), self.download(offer), self.speed(offer))))

    def speed(self, offer: PairOffer) -> str:
        """Empty: there is no telling."""
        if offer.tokens_per_s is None:
            return ""
        if (rounded := round(offer.tokens_per_s)) > 1:
            return self.tr("about {n} tokens/s with the draft").format(n=format_number(rounded))
        return self.tr("about 1 token/s with the draft") if rounded else self.tr("less than 1 token/s with the draft")

    def download(self, offer: PairOffer) -> str:
        if not offer.to_download and not (offer.target.here and offer.draft.here):
            return self.tr("not downloaded")
        words = {
            (True, True): self.tr("on this computer"),
            (True, False): self.tr("{size} to download (target already on this computer)"),
            (False, True): self.tr("{size} to download (draft already on this computer)"),
            (False, False): self.tr("{size} to download"),
        }
        return words[offer.target.here, offer.draft.here].format(size=format_size(offer.to_download))

    def target_facts(self, offer: TargetOffer) -> str:
        guesses = self.tr("guesses with its own MTP layers") if offer.has_mtp else ""
        return " · ".join(filter(None, (format_size(offer.target.size), offer.target.quantization, guesses)))

    def fit_label(self, offer: PairOffer | TargetOffer) -> tuple[str, str]:
        """In two words, and its tone."""
        words = {
            Fit.FITS: self.tr("Fits"),
            Fit.TIGHT: self.tr("Tight"),
            Fit.DOES_NOT_FIT: self.tr("Doesn't fit"),
        }
        return words[offer.fit], _TONES[offer.fit]

    def memory_needs(self, offer: PairOffer | TargetOffer) -> str:
        return self.tr("Needs {size} of memory.").format(size=format_size(offer.needed))

    def speed_explanation(self, expected: SpeedupEstimate) -> str:
        if expected.measured:
            return self._how_measured(expected)
        if expected.in_chats:
            return self._how_in_chats(expected)
        if expected.tiny:
            return self.tr(
                "The target is too small for an estimate. Run a benchmark to see whether speculation pays off."
            )
        words = (
            self.tr(
                "Estimate: {n}× as fast as the target alone, with {length} guesses per pass. This assumes that "
                "{rate} of them are accepted, as measured for this pair."
            )
            if expected.is_known
            else self.tr(
                "Estimate: {n}× as fast as the target alone, with {length} guesses per pass. This assumes that "
                "{rate} of them are accepted, which is typical of such models."
            )
        )
        return words.format(
            n=format_number(expected.speedup, 1),
            rate=format_percent(expected.acceptance),
            length=format_number(expected.draft_length),
        )

    def details(self, offer: PairOffer) -> str:
        lines = [
            self.memory_needs(offer),
            self.speed_explanation(offer.expected),
            self.tr("Target: {reference}").format(reference=offer.target.reference),
            self.tr("Draft: {reference}").format(reference=offer.draft.reference),
        ]
        for label in dict.fromkeys((offer.target.quantization, offer.draft.quantization)):
            if said := describe_quantization(label):
                lines.append(f"{label}: {translate_text(said)}")
        return "\n".join(lines)

    def _how_measured(self, expected: SpeedupEstimate) -> str:
        if slower := slowdown_percent(expected.speedup):
            speed = self.tr("Measured on this computer: {loss} slower than the target alone.")
            speed = speed.format(loss=format_percent(slower / 100))
        else:
            speed = self.tr("Measured on this computer: {n}× as fast as the target alone.")
            speed = speed.format(n=format_number(expected.speedup, 1))
        rate, length = format_percent(expected.acceptance), translate_text(guess_count_phrase(expected.guesses))
        if expected.guesses is None:
            accepted = self.tr("{rate} of the guesses were accepted.").format(rate=rate)
        else:
            accepted = self.tr("With {length} per pass, {rate} were accepted.").format(rate=rate, length=length)
        return f"{speed} {accepted}"

    def _how_in_chats(self, expected: SpeedupEstimate) -> str:
        if is_faster(expected.speedup):
            words = self.tr("In your chats, about {n}× as fast as the target alone.")
            return words.format(n=format_number(expected.speedup, 1))
        return self.tr("In your chats, the draft didn't pay off: answers were no faster than with the target alone.")

    def _quantisations(self, offer: PairOffer) -> str:
        labels = list(dict.fromkeys(filter(None, (offer.target.quantization, offer.draft.quantization))))
        return (
            self.tr("{first} and {second}").format(first=labels[0], second=labels[1]) if labels[1:] else "".join(labels)
        )
