SELECT MIN("price") AS "the lowest price that any of these shares has had in all of these years"
FROM "stocks"
LIMIT 50000;
-- []
