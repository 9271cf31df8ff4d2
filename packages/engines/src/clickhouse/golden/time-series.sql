SELECT toStartOfYear("date") AS "__timestamp_bb0db7a1",
       "symbol" AS "symbol_f3fb51d1",
       MAX("price") AS "MAX(price)_421bfe7f"
FROM "stocks"
WHERE "date" >= toDateTime64({p1:String}, 6, 'UTC')
  AND "date" < toDateTime64({p2:String}, 6, 'UTC')
GROUP BY toStartOfYear("date"),
         "symbol"
ORDER BY "symbol_f3fb51d1" ASC NULLS LAST,
         "MAX(price)_421bfe7f" ASC NULLS LAST
LIMIT 50000;
-- ["2005-01-01 00:00:00","2008-01-01 00:00:00"]
