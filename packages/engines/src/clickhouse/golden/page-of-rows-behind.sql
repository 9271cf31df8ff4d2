SELECT "symbol" AS "symbol_f3fb51d1",
       "date" AS "date_d472dc59",
       "price" AS "price_0b44452a"
FROM "stocks"
ORDER BY "date" DESC NULLS FIRST,
         "symbol" ASC NULLS LAST,
         "price" ASC NULLS LAST
LIMIT 3 OFFSET 4;
-- []
