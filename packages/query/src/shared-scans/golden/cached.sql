SELECT "Origin" AS "~k0",
       CAST("Year" AS DATE) AS "~k1",
       MIN("Year") AS "~t1",
       COUNT(*) AS "~a0",
       SUM("Horsepower") AS "~a1",
       COUNT("Horsepower") AS "~a2",
       SUM("Cylinders") AS "~a3"
FROM "cars"
GROUP BY "Origin",
         CAST("Year" AS DATE)
-- []

SELECT "~k0" AS "Origin",
       CAST(COALESCE(SUM("~a0"), 0) AS BIGINT) AS "count",
       (CAST(SUM("~a1") AS DOUBLE) / CAST(COALESCE(SUM("~a2"), 0) AS BIGINT)) AS "mean"
FROM "parquetry_rollup"
WHERE "~t1" >= CAST($1 AS TIMESTAMP)
  AND "~t1" < CAST($2 AS TIMESTAMP)
  AND "~k0" IN ($3, $4)
GROUP BY "~k0"
ORDER BY "mean" DESC NULLS FIRST
LIMIT 1001
-- ["1971-01-01 00:00:00","1974-05-06 00:00:00","Japan","USA"]

SELECT date_trunc('week', "~t1") AS "Year",
       "~k0" AS "Origin",
       SUM("~a3") / CAST(COALESCE(SUM("~a0"), 0) AS BIGINT) AS "m"
FROM "parquetry_rollup"
WHERE "~t1" >= CAST($1 AS TIMESTAMP)
  AND "~t1" < CAST($2 AS TIMESTAMP)
  AND "~k0" IN ($3, $4)
GROUP BY date_trunc('week', "~t1"),
         "~k0"
LIMIT 1000
-- ["1971-01-01 00:00:00","1974-05-06 00:00:00","Japan","USA"]

SELECT CAST(make_date((year("~t1") * 12 + month("~t1") - 1) // 12, (year("~t1") * 12 + month("~t1") - 1) % 12 + 1, 1) AS TIMESTAMP) AS "Year",
       CAST(COALESCE(SUM("~a0"), 0) AS BIGINT) AS "count"
FROM "parquetry_rollup"
WHERE "~t1" >= CAST($1 AS TIMESTAMP)
GROUP BY (year("~t1") * 12 + month("~t1") - 1)
LIMIT 50
-- ["1972-02-03 00:00:00"]
