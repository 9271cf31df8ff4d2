SELECT `Origin` AS `Origin`,
       COUNT(*) AS `count`
FROM `cars`
WHERE NOT (`Name` LIKE ?)
  AND LOWER(`Name`) LIKE LOWER(?)
GROUP BY `Origin`
ORDER BY `Origin` IS NULL ASC, `Origin` ASC
LIMIT 50000;
-- ["%ford%","%Ca%"]
