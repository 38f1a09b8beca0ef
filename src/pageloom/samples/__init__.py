"""Pages that ship with Pageloom, to try it on. Written for it; the people and places are made up."""
