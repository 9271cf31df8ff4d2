SELECT "origin" AS "origin_d97f9a4f",
       MAX("hp") AS "MAX(hp)_76842c4e"
FROM (SELECT "Name" AS name, "Origin" AS origin, "Horsepower" AS hp, "Year" AS yr FROM cars WHERE "Origin" <> 'USA') AS "virtual_table"
GROUP BY "origin"
ORDER BY "origin_d97f9a4f" ASC NULLS LAST
LIMIT 50000;
-- []
