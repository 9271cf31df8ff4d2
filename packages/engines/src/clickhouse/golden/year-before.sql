SELECT toStartOfYear("date") AS "date_d472dc59",
       "symbol" AS "symbol_f3fb51d1",
       MAX("price") AS "MAX(price)_421bfe7f"
FROM "stocks"
WHERE "date" >= toDateTime64({p1:String}, 6, 'UTC')
  AND "date" < toDateTime64({p2:String}, 6, 'UTC')
GROUP BY toStartOfYear("date"),
         "symbol"
ORDER BY "date_d472dc59" ASC NULLS LAST,
         "symbol_f3fb51d1" ASC NULLS LAST
LIMIT 50000;
-- ["2008-01-01 00:00:00","2010-01-01 00:00:00"]

SELECT toStartOfYear("date") AS "date_d472dc59",
       "symbol" AS "symbol_f3fb51d1",
       MAX("price") AS "MAX(price)_421bfe7f"
FROM "stocks"
WHERE "date" >= toDateTime64({p1:String}, 6, 'UTC')
  AND "date" < toDateTime64({p2:String}, 6, 'UTC')
GROUP BY toStartOfYear("date"),
         "symbol"
ORDER BY "date_d472dc59" ASC NULLS LAST,
         "symbol_f3fb51d1" ASC NULLS LAST
LIMIT 50000;
-- ["2007-01-01 00:00:00","2009-01-01 00:00:00"]
