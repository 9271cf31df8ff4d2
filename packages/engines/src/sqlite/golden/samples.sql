SELECT "symbol" AS "symbol",
       "date" AS "date",
       "price" AS "price"
FROM "stocks"
WHERE "price" > ?
LIMIT 1000;
-- [600]
