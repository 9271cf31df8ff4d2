SELECT "Origin" AS "Origin",
       COUNT(*) AS "count"
FROM "cars"
WHERE NOT ("Name" LIKE ? ESCAPE '\')
  AND LOWER("Name") LIKE LOWER(?) ESCAPE '\'
GROUP BY "Origin"
ORDER BY "Origin" ASC NULLS LAST
LIMIT 50000;
-- ["%ford%","%Ca%"]
