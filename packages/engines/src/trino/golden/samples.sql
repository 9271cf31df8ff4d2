SELECT "symbol" AS "symbol",
       "date" AS "date",
       "price" AS "price"
FROM "stocks"
WHERE "price" > 600
LIMIT 1000;
-- [600]
