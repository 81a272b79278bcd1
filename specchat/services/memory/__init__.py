"""Will it fit?"""
