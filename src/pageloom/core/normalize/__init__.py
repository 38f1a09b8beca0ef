"""Stage 5 of 9: normalize. Takes PageFacts and Content, gives ChosenValues: one form per field."""
