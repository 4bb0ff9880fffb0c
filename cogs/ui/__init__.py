"""Router, guard, renderer and messenger: everything the cogs share towards Discord."""
