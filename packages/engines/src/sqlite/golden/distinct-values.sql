SELECT "Cylinders" AS "Cylinders"
FROM "cars"
GROUP BY "Cylinders"
ORDER BY "Cylinders" ASC NULLS LAST
LIMIT 50000;
-- []
