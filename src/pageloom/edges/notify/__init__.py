"""Telling people and programs: one file for each kind of target."""
