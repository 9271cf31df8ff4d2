SELECT "Origin" AS "Origin",
       COUNT(*) AS "count"
FROM "cars"
WHERE NOT ("Name" LIKE $1)
  AND "Name" ILIKE $2
GROUP BY "Origin"
ORDER BY "Origin" ASC
LIMIT 50000;
-- ["%ford%","%Ca%"]
