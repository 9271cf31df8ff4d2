SELECT "Origin" AS "Origin",
       COUNT(*) AS "count"
FROM "cars"
WHERE "Cylinders" IN (4, 6, 8)
  AND "Acceleration" >= CAST('15.5' AS DOUBLE)
  AND CAST("Weight_in_lbs" AS VARCHAR) LIKE '3%'
GROUP BY "Origin"
ORDER BY "Origin" ASC NULLS LAST
LIMIT 50000;
-- [4,6,8,"15.5","3%"]
