SELECT "symbol" AS "symbol",
       "date" AS "date",
       "price" AS "price"
FROM "stocks"
WHERE "price" > $1::bigint
LIMIT 1000;
-- [600]
