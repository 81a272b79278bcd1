"""Documents that other programs make: LibreOffice, pandoc, groff, typst, weasyprint, reportlab and others.

`makers.py` lists them. Making them needs these programs, so no test does; `tests/benchmarks/real_documents.py` does.
"""
