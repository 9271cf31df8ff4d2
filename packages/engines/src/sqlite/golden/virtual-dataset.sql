SELECT "origin" AS "origin",
       MAX("hp") AS "MAX(hp)"
FROM (SELECT "Name" AS name, "Origin" AS origin, "Horsepower" AS hp, "Year" AS yr FROM cars WHERE "Origin" <> 'USA') AS "virtual_table"
GROUP BY "origin"
ORDER BY "origin" ASC NULLS LAST
LIMIT 50000;
-- []
