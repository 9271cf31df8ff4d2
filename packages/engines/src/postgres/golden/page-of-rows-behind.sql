SELECT "symbol" AS "symbol",
       "date" AS "date",
       "price" AS "price"
FROM "stocks"
ORDER BY "date" DESC,
         "symbol" ASC,
         "price" ASC
LIMIT 3 OFFSET 4;
-- []
