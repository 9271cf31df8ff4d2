SELECT "Origin" AS "Origin_1f93146f",
       AVG("Horsepower") AS "AVG(Horsepower)_9f78591e",
       COUNT("Horsepower") AS "COUNT(Horsepower)_3987a621",
       COUNT(DISTINCT "Horsepower") AS "COUNT_DISTINCT(Horsepower)_a7f21014",
       MAX("Horsepower") AS "MAX(Horsepower)_0e220ac4",
       MIN("Horsepower") AS "MIN(Horsepower)_c2520472",
       SUM("Horsepower") AS "SUM(Horsepower)_afae7b5d"
FROM "cars"
GROUP BY "Origin"
ORDER BY "Origin_1f93146f" ASC NULLS LAST
LIMIT 50000;
-- []
