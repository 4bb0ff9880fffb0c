"""The only place with SQL: tables, one writer, migrations, rows → frozen value objects."""
