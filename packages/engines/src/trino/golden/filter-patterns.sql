SELECT "Origin" AS "Origin",
       COUNT(*) AS "count"
FROM "cars"
WHERE NOT ("Name" LIKE '%ford%')
  AND LOWER("Name") LIKE LOWER('%Ca%')
GROUP BY "Origin"
ORDER BY "Origin" ASC NULLS LAST
LIMIT 50000;
-- ["%ford%","%Ca%"]
