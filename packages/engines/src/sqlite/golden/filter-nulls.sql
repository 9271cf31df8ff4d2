SELECT "Origin" AS "Origin",
       COUNT(*) AS "count"
FROM "cars"
WHERE ("Horsepower" IS NULL OR "Horsepower" IN (?))
  AND "Origin" IS NOT NULL
GROUP BY "Origin"
ORDER BY "Origin" ASC NULLS LAST
LIMIT 50000;
-- [150]
