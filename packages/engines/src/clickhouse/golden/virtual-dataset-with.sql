SELECT "origin" AS "origin_d97f9a4f",
       COUNT(*) AS "count_39b1ddf4"
FROM (WITH c AS (SELECT "Origin" AS origin, "Cylinders" AS cyl FROM cars GROUP BY 1, 2) SELECT * FROM c -- all
) AS "virtual_table"
GROUP BY "origin"
ORDER BY "origin_d97f9a4f" ASC NULLS LAST
LIMIT 50000;
-- []
