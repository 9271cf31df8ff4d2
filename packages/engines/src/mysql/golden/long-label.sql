SELECT MIN(`price`) AS `the lowest price that any of these shares has had in al_5997f595`
FROM `stocks`
LIMIT 50000;
-- []
