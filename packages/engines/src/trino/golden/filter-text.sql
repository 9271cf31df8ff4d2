SELECT "Origin" AS "Origin",
       COUNT(*) AS "count"
FROM "cars"
WHERE LOWER("Name") LIKE LOWER('%FORD%')
  AND "Origin" <> 'O''Hara; --'
GROUP BY "Origin"
ORDER BY "Origin" ASC NULLS LAST
LIMIT 50000;
-- ["%FORD%","O'Hara; --"]
