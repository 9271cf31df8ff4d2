SELECT "Origin" AS "Origin_1f93146f",
       AVG("Horsepower") AS "avg_hp_7b282b44",
       MAX("Year") -- newest
 AS "newest \"car\"_3e98c23d"
FROM "cars"
GROUP BY "Origin"
ORDER BY "Origin_1f93146f" ASC NULLS LAST
LIMIT 50000;
-- []
