"""Converts JSON schemas to grammars so that every answer conforms to its schema.

Where a grammar for exactly what a schema allows would be huge, it allows less, never more: objects have their
properties in the order of the schema, and no others where it names some. Two things are taken as most take them: one
of `oneOf` is enough if others hold too, and a `format` that is not known is a remark.
"""
