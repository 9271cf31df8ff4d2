SELECT "Origin" AS "~k0",
       CAST("Year" AS DATE) AS "~k1",
       MIN("Year") AS "~t1",
       COUNT(*) AS "~a0",
       SUM("Horsepower") AS "~a1",
       COUNT("Horsepower") AS "~a2",
       SUM("Cylinders") AS "~a3"
FROM "cars"
WHERE "Origin" IN ($1, $2)
GROUP BY "Origin",
         CAST("Year" AS DATE)
-- ["Japan","USA"]

SELECT "~k0" AS "Origin",
       CAST(COALESCE(SUM("~a0"), 0) AS BIGINT) AS "count",
       (CAST(SUM("~a1") AS DOUBLE) / CAST(COALESCE(SUM("~a2"), 0) AS BIGINT)) AS "mean"
FROM "parquetry_rollup"
GROUP BY "~k0"
ORDER BY "mean" DESC NULLS FIRST
LIMIT 6
-- []

SELECT date_trunc('week', "~t1") AS "Year",
       "~k0" AS "Origin",
       SUM("~a3") / CAST(COALESCE(SUM("~a0"), 0) AS BIGINT) AS "m"
FROM "parquetry_rollup"
GROUP BY date_trunc('week', "~t1"),
         "~k0"
LIMIT 50
-- []

SELECT CAST(make_date((year("~t1") * 12 + month("~t1") - 1) // 12, (year("~t1") * 12 + month("~t1") - 1) % 12 + 1, 1) AS TIMESTAMP) AS "Year",
       CAST(COALESCE(SUM("~a0"), 0) AS BIGINT) AS "count"
FROM "parquetry_rollup"
GROUP BY (year("~t1") * 12 + month("~t1") - 1)
LIMIT 50
-- []
