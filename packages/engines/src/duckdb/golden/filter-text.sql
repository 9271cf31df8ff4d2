SELECT "Origin" AS "Origin",
       COUNT(*) AS "count"
FROM "cars"
WHERE LOWER("Name") LIKE LOWER($1)
  AND "Origin" <> $2
GROUP BY "Origin"
ORDER BY "Origin" ASC
LIMIT 50000;
-- ["%FORD%","O'Hara; --"]
