SELECT "symbol" AS "symbol",
       "date" AS "date",
       "price" AS "price"
FROM "stocks"
ORDER BY "date" DESC NULLS FIRST,
         "symbol" ASC NULLS LAST,
         "price" ASC NULLS LAST
LIMIT 3 OFFSET 4;
-- []
