SELECT "Origin" AS "Origin",
       AVG("Horsepower") AS "AVG(Horsepower)",
       COUNT("Horsepower") AS "COUNT(Horsepower)",
       COUNT(DISTINCT "Horsepower") AS "COUNT_DISTINCT(Horsepower)",
       MAX("Horsepower") AS "MAX(Horsepower)",
       MIN("Horsepower") AS "MIN(Horsepower)",
       SUM("Horsepower") AS "SUM(Horsepower)"
FROM "cars"
GROUP BY "Origin"
ORDER BY "Origin" ASC NULLS LAST
LIMIT 50000;
-- []
