from support.english import english_numbers as english_numbers
