"""Pages that ship with Pageloom, to try it on: written for it, people and places made up."""
