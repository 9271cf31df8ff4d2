SELECT "origin" AS "origin",
       COUNT(*) AS "count"
FROM (WITH c AS (SELECT "Origin" AS origin, "Cylinders" AS cyl FROM cars GROUP BY 1, 2) SELECT * FROM c -- all
) AS "virtual_table"
GROUP BY "origin"
ORDER BY "origin" ASC NULLS LAST
LIMIT 50000;
-- []
