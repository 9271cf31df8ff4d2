SELECT "Origin" AS "Origin",
       AVG("Horsepower") AS "avg_hp",
       MAX("Year") -- newest
 AS "newest ""car"""
FROM "cars"
GROUP BY "Origin"
ORDER BY "Origin" ASC NULLS LAST
LIMIT 50000;
-- []
