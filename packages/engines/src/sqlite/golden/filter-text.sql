SELECT "Origin" AS "Origin",
       COUNT(*) AS "count"
FROM "cars"
WHERE LOWER("Name") LIKE LOWER(?) ESCAPE '\'
  AND "Origin" <> ?
GROUP BY "Origin"
ORDER BY "Origin" ASC NULLS LAST
LIMIT 50000;
-- ["%FORD%","O'Hara; --"]
