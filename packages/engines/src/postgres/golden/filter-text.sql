SELECT "Origin" AS "Origin",
       COUNT(*) AS "count"
FROM "cars"
WHERE "Name" ILIKE $1
  AND "Origin" <> $2
GROUP BY "Origin"
ORDER BY "Origin" ASC
LIMIT 50000;
-- ["%FORD%","O'Hara; --"]
