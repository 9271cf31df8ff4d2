SELECT "Origin" AS "Origin",
       COUNT(*) AS "count"
FROM "cars"
WHERE "Cylinders" IN (?, ?, ?)
  AND "Acceleration" >= ?
  AND CAST("Weight_in_lbs" AS TEXT) LIKE ? ESCAPE '\'
GROUP BY "Origin"
ORDER BY "Origin" ASC NULLS LAST
LIMIT 50000;
-- [4,6,8,15.5,"3%"]
