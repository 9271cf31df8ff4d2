SELECT COUNT(*) AS "c0",
       COUNT(DISTINCT "Origin") AS "c1",
       CAST(EXTRACT(EPOCH FROM MAX("Year") FILTER (WHERE isfinite("Year"))) - EXTRACT(EPOCH FROM MIN("Year") FILTER (WHERE isfinite("Year"))) AS double precision) AS "c2",
       (SELECT COUNT(*) FROM "cars" TABLESAMPLE SYSTEM (1)) AS "c3",
       CAST(pg_typeof(mode() WITHIN GROUP (ORDER BY "Origin") FILTER (WHERE FALSE)) AS text) AS "c4",
       CAST(pg_typeof(mode() WITHIN GROUP (ORDER BY "Year") FILTER (WHERE FALSE)) AS text) AS "c5",
       CAST(pg_typeof(SUM("Horsepower")) AS text) AS "c6",
       CAST(pg_typeof(SUM("Cylinders")) AS text) AS "c7",
       CAST(pg_typeof(MIN("Horsepower")) AS text) AS "c8"
FROM "cars" TABLESAMPLE SYSTEM (1)
WHERE "Origin" IN ($1, $2)
LIMIT 1
-- ["Japan","USA"]

SELECT "Origin" AS "~k0",
       DATE_TRUNC('day', "Year") AS "~k1",
       MIN("Year") AS "~t1",
       COUNT(*) AS "~a0",
       SUM("Horsepower") AS "~a1",
       COUNT("Horsepower") AS "~a2",
       SUM("Cylinders") AS "~a3",
       MIN("Horsepower") AS "~a4",
       MIN(SCALE("Horsepower")) AS "~b4",
       MAX(SCALE("Horsepower")) AS "~c4"
FROM "cars"
WHERE "Origin" IN ($1, $2)
GROUP BY "Origin",
         DATE_TRUNC('day', "Year")
-- ["Japan","USA"]

SELECT "~k0" AS "Origin",
       CAST(COALESCE(SUM("~a0"), 0) AS bigint) AS "count",
       (SUM("~a1") / CAST(COALESCE(SUM("~a2"), 0) AS bigint)) AS "mean"
FROM "parquetry_rollup"
GROUP BY "~k0"
ORDER BY "mean" DESC
LIMIT 1000
-- []

SELECT DATE_TRUNC('week', "~t1") AS "Year",
       "~k0" AS "Origin",
       CAST(SUM("~a3") AS bigint) / CAST(COALESCE(SUM("~a0"), 0) AS bigint) AS "m"
FROM "parquetry_rollup"
GROUP BY DATE_TRUNC('week', "~t1"),
         "~k0"
LIMIT 50
-- []

SELECT DATE_TRUNC('month', "~t1") AS "Year",
       CAST(COALESCE(SUM("~a0"), 0) AS bigint) AS "count"
FROM "parquetry_rollup"
GROUP BY DATE_TRUNC('month', "~t1")
LIMIT 50
-- []

SELECT MIN("~a4") AS "least",
       CAST(COALESCE(SUM("~a0"), 0) AS bigint) AS "count"
FROM "parquetry_rollup"
HAVING 1 / CASE WHEN MIN("~b4") IS NOT DISTINCT FROM MAX("~c4") THEN 1 ELSE 0 END = 1
LIMIT 50
-- []
