"""What the people who work on Etüt run; the product never imports it."""
