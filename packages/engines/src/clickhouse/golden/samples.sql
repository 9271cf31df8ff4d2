SELECT "symbol" AS "symbol_f3fb51d1",
       "date" AS "date_d472dc59",
       "price" AS "price_0b44452a"
FROM "stocks"
WHERE "price" > {p1:Int64}
LIMIT 1000;
-- [600]
